import { serveCalls } from "../service-thread.ts";
import { PreviewService } from "./preview-service.ts";

/** The thread's entry point. */
serveCalls(new PreviewService());
