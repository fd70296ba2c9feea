import type { Audience } from '../product.ts'

const CALLBACK = '/auth/callback'
/** Of scripts/example.ts: what the example app listens at when nothing else was registered. */
const EXAMPLE_PORT = 4004

export const EXAMPLE_COMMAND = 'npm run example -- external'

interface Made {
  audience: Audience
  uri: string
  publishable_key: string
  api_key: string
}

/** The variables that @portaria/client reads (docs/integrate.md). */
export function envLines({ audience, uri, publishable_key, api_key }: Made, service: string): string {
  const keys = [`PORTARIA_PUBLISHABLE_KEY=${publishable_key}`, `PORTARIA_API_KEY=${api_key}`]
  return [`PORTARIA_URL=${service}`, `PORTARIA_APP_URL=${appUrlOf(uri)}`, ...(audience === 'external' ? keys : [])].join('\n')
}

/** The variables that the example app reads. */
export function exampleLines({ publishable_key, api_key }: Pick<Made, 'publishable_key' | 'api_key'>, service: string): string {
  return [`PORTARIA_URL=${service}`, `PORTARIA_PUBLISHABLE_KEY=${publishable_key}`, `PORTARIA_API_KEY=${api_key}`].join('\n')
}

/** The address of the app itself: what stands before the callback's path. */
export function appUrlOf(uri: string): string {
  return endsInCallback(uri) ? uri.slice(0, -CALLBACK.length) : new URL(uri).origin
}

export function endsInCallback(uri: string): boolean {
  return uri.endsWith(CALLBACK)
}

/** Where the example app can be tried: on another host than the service, since browsers keep cookies by host, whatever the port. */
export function tryingUri(serviceHost: string): string {
  const host = serviceHost === '127.0.0.1' ? 'localhost' : '127.0.0.1'
  return `http://${host}:${EXAMPLE_PORT}${CALLBACK}`
}

/** Whether the example app can be started for this address, as scripts/example.ts decides it. */
export function isForExample({ audience, uri }: Pick<Made, 'audience' | 'uri'>, serviceHost: string): boolean {
  const { protocol, hostname, port, pathname } = new URL(uri)
  const isHere = hostname === '127.0.0.1' || hostname === 'localhost'
  return audience === 'external' && protocol === 'http:' && isHere && hostname !== serviceHost && port !== '' && pathname === CALLBACK
}

/** How @portaria/client is installed while it is not on npm (docs/integrate.md): the service itself hands it out. */
export function installCommand(service: string): string {
  return `npm install express ${service}/client/portaria-client.tgz`
}

/** The suggested address: a bare one gets the path of @portaria/client. */
export function withCallback(uri: string): string {
  return new URL(uri).pathname === '/' && !uri.includes('?') ? new URL(CALLBACK, uri).href : uri
}

/** The same as in docs/integrate.md, with the greeting in the reader's language. */
export function expressLines(uri: string, hello: string): string {
  const port = new URL(uri).port || '3000'
  return `import { createPortaria } from '@portaria/client'
import { getUser, portariaRoutes, requireUser } from '@portaria/client/express'
import express from 'express'

const portaria = createPortaria()
const app = express()
app.use(portariaRoutes(portaria))
app.get('/', requireUser(portaria), (req, res) => {
  res.send(\`${hello}, \${getUser(req).name}\`)
})
app.listen(${port})`
}
