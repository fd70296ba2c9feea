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

/** The suggested address: a bare one gets the app's path. */
export function withCallback(uri: string, path: string = CALLBACK): string {
  return new URL(uri).pathname === '/' && !uri.includes('?') ? new URL(path, uri).href : uri
}
