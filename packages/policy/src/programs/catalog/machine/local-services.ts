import { isKnown } from "../../../language/state/values.ts";
import type { Effect } from "../../define-program.ts";
import { destroysByName, destroysBySql } from "../../names/grave-words.ts";

/** A request as its words describe it; a method of which nothing is known counts as the worst one. */
export interface ServiceRequest {
  readonly address: string;
  readonly method: string;
  readonly bodies: readonly string[];
}

interface Service {
  readonly ports: string;
  /** How paths of this service begin. They tell it on other ports too. */
  readonly paths?: RegExp;
  /** Paths that only read, although they are asked with a body. */
  readonly searches?: RegExp;
  /** Paths whose answer holds credentials. */
  readonly secrets?: RegExp;
  /** What any other request that sends something does; a store of data takes it as ordinary work. */
  readonly sending?: Effect;
}

/**
 * Databases and control planes that answer HTTP on this machine. A request to a server of the project is ordinary work,
 * whatever its method; one that empties an index or stops a service loses data that no undo brings back.
 */
const SERVICES: readonly Service[] = [
  // Elasticsearch and OpenSearch.
  {
    ports: "9200 9201",
    paths: /^_[a-z]|^[^/]+\/_(?:delete_by_query|bulk|doc|close|settings)\b/,
    searches: /(?:^|\/)_(?:search|msearch|count|analyze|mget|validate|explain|field_caps|sql|cat|cluster|nodes)\b/,
  },
  // CouchDB, ClickHouse, Solr, InfluxDB, Qdrant, Weaviate, Neo4j, ArangoDB, Typesense, Meilisearch, Ollama.
  { ports: "5984 8123 8983 8086 6333 7474 8529 8108 7700 11434 19530", paths: /^solr\// },
  // RabbitMQ, Prometheus, Alertmanager, Loki, Grafana Tempo, Pushgateway.
  { ports: "15672 9090 9091 9093 3100" },
  // Consul, Nomad, Kafka Connect, the administration of Caddy and Envoy.
  {
    ports: "8500 4646 8083 2019 9901",
    paths: /^v1\/(?:kv|agent|catalog)\//,
    secrets: /^v1\/(?:kv|vars?)\/.*|^v1\/(?:kv|vars?)$/,
    sending: "change",
  },
  {
    ports: "8200",
    paths: /^v1\/(?:secret|sys|auth)\//,
    secrets: /^v1\/(?!sys\/(?:health|seal-status|leader|init)\b)/,
    sending: "destroy",
  },
  { ports: "2379 4001", paths: /^(?:v2\/keys|v3(?:alpha|beta)?\/kv)\b/, searches: /\/kv\/range$/, sending: "destroy" },
  { ports: "2375 2376", paths: /^(?:v\d[\d.]*\/)?(?:containers|images|volumes|networks|exec)\//, sending: "destroy" },
  {
    ports: "6443 10250",
    paths: /^apis?\/[\w.]+\/(?:v\d\w*\/)?namespaces\b/,
    secrets: /(?:^|\/)(?:secrets|token)\b/,
    sending: "destroy",
  },
  // The administration of a Spring application.
  {
    ports: "",
    paths: /^(?:actuator|manage|management)\/(?:shutdown|restart|env|heapdump|configprops|jolokia)\b/,
    secrets: /^(?:actuator|manage|management)\/(?:env|heapdump|configprops)\b/,
    sending: "destroy",
  },
];

const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** What a request does to a service of this machine that is known by its port or its path; null for any other server. */
export function serviceEffect({ address, method, bodies }: ServiceRequest): Effect | null {
  const { port, path, query } = partsOf(address);
  const statements = [...bodies, ...query].map((text) => text.replace(/^\w+=/, ""));
  const isReading = READING.has(method.toUpperCase());
  const service = SERVICES.find(({ ports, paths }) => ports.split(" ").includes(port) || paths?.test(path) === true);
  // Some databases take statements with any method.
  if ((!isReading || service !== undefined) && statements.some(destroysBySql)) return "destroy";
  if (service === undefined) return null;
  if (service.secrets?.test(path) === true) return "secret";
  // A client shortens `_search/../x` before it asks.
  const isSearch = service.searches?.test(path) === true && !path.split("/").includes("..");
  if (isReading || (/^POST$/i.test(method) && isSearch)) return null;
  if (/^DELETE$/i.test(method) || !/^[a-z]+$/i.test(method)) return "destroy";
  const words = path.split(/[/_.-]/);
  if (words.some((word) => destroysByName(word) || STOPS.has(word))) return "destroy";
  // A body that is not in sight, such as a file, is data to be stored.
  if (bodies.some((body) => isKnown(body) && DELETES.test(body))) return "destroy";
  return service.sending ?? null;
}

const STOPS: ReadonlySet<string> = new Set(["quit", "seal", "deregister", "deleterange", "close", "step"]);

/** `<delete><query>*:*</query></delete>`, `{"delete": {"_id": "1"}}`, `MATCH (n) DETACH DELETE n`. */
const DELETES = /\b(?:delete|drop|remove|truncate)\b/i;

function partsOf(address: string): { port: string; path: string; query: string[] } {
  const bare = address.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "");
  const [, authority = "", path = "", query = ""] = /^([^/?#]*)\/*([^?#]*)(?:\?([^#]*))?/.exec(bare) ?? [];
  return {
    port: /:(\d+)$/.exec(authority)?.[1] ?? "",
    path: decoded(path),
    query: query.split("&").map((pair) => decoded(pair.slice(pair.indexOf("=") + 1).replaceAll("+", " "))),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
