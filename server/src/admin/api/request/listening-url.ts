import type { AddressInfo } from 'node:net'

/** The address on which a server listens, for a request of its own. */
export function listeningUrl(listening: AddressInfo | string | null): string | undefined {
  if (listening === null || typeof listening === 'string') return undefined
  const { address, family, port } = listening
  if (family === 'IPv6') return `http://[${address === '::' ? '::1' : address}]:${port}`
  return `http://${address === '0.0.0.0' ? '127.0.0.1' : address}:${port}`
}
