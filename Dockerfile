# The container image. Runs as an unprivileged user, by default 1000, and works with a read-only root file system; only /data is written.
# NODE_IMAGE in .env names another base image.
ARG NODE_IMAGE=node:26-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund && cp package-lock.json node_modules/.installed-lock.json
COPY . .
RUN node scripts/run.js scripts/build.ts \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && node scripts/run.js scripts/prune-packages.ts \
  && mkdir -p /image/stammtisch /image/data /image/run/stammtisch \
  && cp -a bin contract dist node_modules package.json server LICENSE NOTICE /image/stammtisch/ \
  && if [ -d .git ]; then cp -a .git /image/stammtisch/; fi \
  && mkdir /image/stammtisch/scripts && cp -a scripts/prepare.js /image/stammtisch/scripts/ \
  && chown 1000:1000 /image/data /image/run/stammtisch && chmod 1777 /image/data /image/run/stammtisch

# The files of a container cannot be written, so the server is compiled here. Node reads compiled code of its own user id only, and
# writes it for that one alone.
FROM ${NODE_IMAGE} AS compiled
COPY --from=build --chown=1000:1000 /image/stammtisch/ /stammtisch/
USER 1000:1000
RUN /stammtisch/bin/stammtisch serve --help && chmod -R a+rX /stammtisch/node_modules/.cache

FROM ${NODE_IMAGE}
COPY --from=build /image/ /
COPY --from=compiled /stammtisch/node_modules/.cache/ /stammtisch/node_modules/.cache/
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data PATH=/stammtisch/bin:${PATH}
USER 1000:1000
WORKDIR /stammtisch
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# Bash instead of Node, whose start every ten seconds would burden a small machine.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /readyz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
ENTRYPOINT ["stammtisch"]
CMD ["serve"]
