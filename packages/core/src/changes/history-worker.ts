import { serveCalls } from "../service-thread.ts";
import { HistoryService } from "./history-service.ts";

/** The thread's entry. Calls for one workspace wait for each other in its history, those for others do not. */
serveCalls(new HistoryService());
