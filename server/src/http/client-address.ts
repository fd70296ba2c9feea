import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/**
 * The address of a request. Behind trusted proxies Fastify has read X-Forwarded-For from the right; if that is not an address, the one of
 * the connection counts.
 */
export function clientAddress(request: FastifyRequest): string {
  const claimed = request.ip
  return ipaddr.isValid(claimed) ? ipaddr.process(claimed).toString() : (request.socket.remoteAddress ?? 'unknown')
}

/** Counted as one origin of attempts: an IPv4 address, or the /64 that one IPv6 customer has. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6
    ? `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`
    : parsed.toString()
}

export function isLoopback(address: string | undefined): boolean {
  return address !== undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}
