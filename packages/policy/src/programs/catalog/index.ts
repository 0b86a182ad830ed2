import type { Program } from "../define-program.ts";
import { plainToolName } from "../names/cross-tools.ts";
import { FIELDS } from "./fields/index.ts";
import { ARCHIVES } from "./machine/archives.ts";
import { BREW } from "./machine/brew.ts";
import { DEVELOPER_TOOLS } from "./machine/developer-tools.ts";
import { EDITORS } from "./machine/editors.ts";
import { FILES } from "./machine/files.ts";
import { INTERPRETERS } from "./machine/interpreters.ts";
import { NETWORK } from "./machine/network.ts";
import { OTHERS } from "./machine/others.ts";
import { READ_ONLY_PROGRAMS } from "./machine/read-only.ts";
import { READERS } from "./machine/readers.ts";
import { SEARCHERS } from "./machine/searchers.ts";
import { SYSTEM } from "./machine/system.ts";
import { DOCUMENTS } from "./media/documents.ts";
import { MEDIA } from "./media/media.ts";
import { NODE } from "./node/index.ts";
import { PYTHON } from "./python/index.ts";
import { AUTH0 } from "./remote/auth0.ts";
import { AWS } from "./remote/aws.ts";
import { AZ } from "./remote/az.ts";
import { CLOUDS } from "./remote/clouds.ts";
import { CONTAINERS } from "./remote/containers.ts";
import { DATABASES } from "./remote/databases.ts";
import { FORGES } from "./remote/forges.ts";
import { GCLOUD } from "./remote/gcloud.ts";
import { HELM } from "./remote/helm.ts";
import { IMAGES } from "./remote/images.ts";
import { INFRA, INFRA_READERS } from "./remote/infra.ts";
import { KUBERNETES } from "./remote/kubernetes.ts";
import { PLATFORMS } from "./remote/platforms.ts";
import { SENDERS } from "./remote/senders.ts";
import { TOOLCHAINS } from "./toolchains/index.ts";
import { GIT } from "./version-control/git.ts";
import { OTHER_VERSION_CONTROL } from "./version-control/others.ts";
import { TASK_TRACKERS } from "./version-control/task-trackers.ts";
import { WRAPPERS } from "./wrappers/index.ts";

/** Every program that has a table. */
export const CATALOG: readonly Program[] = [
  ...READERS,
  ...SEARCHERS,
  ...READ_ONLY_PROGRAMS,
  ...FILES,
  ...ARCHIVES,
  ...SYSTEM,
  ...TASK_TRACKERS,
  ...BREW,
  ...NETWORK,
  ...GIT,
  ...OTHER_VERSION_CONTROL,
  ...FORGES,
  ...NODE,
  ...PYTHON,
  ...TOOLCHAINS,
  ...FIELDS,
  ...DOCUMENTS,
  ...MEDIA,
  ...CONTAINERS,
  ...IMAGES,
  ...KUBERNETES,
  ...HELM,
  AWS,
  GCLOUD,
  AZ,
  AUTH0,
  CLOUDS,
  ...PLATFORMS,
  ...SENDERS,
  ...INFRA,
  ...INFRA_READERS,
  ...DATABASES,
  ...INTERPRETERS,
  ...WRAPPERS,
  ...OTHERS,
  ...DEVELOPER_TOOLS,
  ...EDITORS,
];

const byName = new Map<string, Program>();
for (const program of CATALOG) for (const name of program.names) if (!byName.has(name)) byName.set(name, program);

export function programNamed(name: string): Program | undefined {
  return byName.get(name) ?? byName.get(plainToolName(name));
}
