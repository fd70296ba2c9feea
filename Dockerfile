# The service in a container: no development packages, not root, and a root file system that may be read-only.
FROM node:24-slim AS built
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
COPY console/package.json console/
COPY client/package.json client/
# The bundler's own program is an optional package.
RUN npm ci --workspace console --workspace client --no-audit --no-fund --loglevel=error
COPY console console
COPY client client
COPY scripts/build scripts/build
RUN node scripts/build/build.ts

FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY server/package.json server/
# The optional packages are the pinned Node itself, which the image brings already.
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund --loglevel=error

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATABASE_URL=sqlite:/data/portaria.db NODE_COMPILE_CACHE=/tmp/portaria
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE ./
COPY docs docs
COPY server server
COPY --from=built /app/console/dist console/dist
COPY --from=built /app/client/dist.package client/dist.package
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --start-period=20s --interval=10s --timeout=5s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "server/bin/portaria.mjs"]
CMD ["serve"]
