import { serveCalls } from "../service-thread.ts";
import { HistoryService } from "./history-service.ts";

/** The thread's entry point. Calls for the same workspace are serialised; calls for different ones run concurrently. */
serveCalls(new HistoryService());
