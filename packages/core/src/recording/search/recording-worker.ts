import { runInBackground } from "../../background-thread.ts";
import { serveCalls } from "../../service-thread.ts";
import { createRecordingService } from "./recording-service.ts";

/** The thread's entry point. */
runInBackground();
serveCalls(createRecordingService());
