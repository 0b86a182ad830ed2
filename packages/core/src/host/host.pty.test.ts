import { describeHost } from "../testing/host-contract.ts";

describeHost("a host in this process", (folder) => folder.openLocal());
describeHost("a host in a process of its own", (folder) => folder.openRemote());
