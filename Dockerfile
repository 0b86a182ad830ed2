# Belay in a container: the gateway, its console and its terminals, as a user without rights.
#   npm run release -- --unproved && docker build -t belay .
ARG BASE=docker.io/library/node:24-bookworm-slim

FROM ${BASE} AS install
COPY release/belay-*.tgz /tmp/
RUN npm install --global --prefix /opt/belay --no-audit --no-fund --no-update-notifier /tmp/belay-*.tgz

FROM ${BASE}
# What agents work with. Extend the image with the tools of your own projects.
RUN if command -v apt-get; then apt-get update && apt-get install -y --no-install-recommends tini git procps ca-certificates && rm -rf /var/lib/apt/lists/*; fi \
  && echo "belay:x:10001:10001::/home/belay:/bin/bash" >> /etc/passwd && echo "belay:x:10001:" >> /etc/group \
  && mkdir -p /home/belay /data /workspace && chown 10001:10001 /home/belay /data /workspace
# Owned by root: no agent can change the program.
COPY --from=install /opt/belay /opt/belay
ENV PATH=/opt/belay/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/home/belay \
  BELAY_DATA_DIR=/data BELAY_WORKSPACE=/workspace BELAY_HOST=0.0.0.0
USER 10001:10001
WORKDIR /workspace
VOLUME ["/data", "/workspace"]
EXPOSE 7400
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.BELAY_PORT || 7400) + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# tini takes in processes whose parents have ended, and passes signals on.
ENTRYPOINT ["tini", "--", "belay"]
CMD ["start"]
