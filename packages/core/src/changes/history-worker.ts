import { serveCalls } from "../service-thread.ts";
import { HistoryService } from "./history-service.ts";

/** The thread's entry point. Calls for one workspace are serialised by its history, those for others are not. */
serveCalls(new HistoryService());
