import { describeHost } from "../testing/contracts/host-contract.ts";

describeHost("a host in this process", (folder) => folder.openLocal());
describeHost("a host in a separate process", (folder) => folder.openRemote());
