import process from 'node:process'
import type { Config } from '../../config.ts'
import { reasonOf } from '../command/faults.ts'
import type { Ask } from './asking.ts'
import type { Check } from './doctor-check.ts'

const TIMEOUT_MS = 3_000

export function checkNode(): Check {
  const { node, sqlite } = process.versions
  return { name: 'versions', status: 'ok', message: `Node ${node}, SQLite ${sqlite ?? 'unknown'}` }
}

/** Settings that are allowed, and yet rarely meant. */
export function checkSettings(config: Config): Check[] {
  const checks: Check[] = []
  const warn = (name: string, message: string) => void checks.push({ name, status: 'warn', message })
  if (!config.https && !isLoopback(config.baseUrl)) {
    warn(
      'https',
      `${config.baseUrl} is not https: sessions and passwords travel in clear. Put a proxy with TLS in front and set PORTARIA_URL to its https address`,
    )
  }
  if (config.production && isLoopback(config.baseUrl)) warn('public address', `${config.baseUrl} is this machine alone: set PORTARIA_URL`)
  if (config.https && config.trustProxy === undefined) {
    warn('proxy', 'if a proxy stands in front, set PORTARIA_TRUST_PROXY: without it all visitors share the limits of one')
  }
  return checks
}

/** Asks the running service at its public address for its health; its warnings are passed on. */
export async function checkPublicAddress({ baseUrl }: Config, ask: Ask): Promise<Check[]> {
  const name = 'service'
  try {
    const { response, body } = await ask(`the service at ${baseUrl}`, async () => {
      const response = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'manual' })
      return { response, body: await response.json() }
    })
    const warnings = warningsOf(body).map((message): Check => ({ name, status: 'warn', message }))
    const state = typeof body === 'object' && body !== null && 'status' in body ? String(body.status) : 'unknown'
    if (response.ok) return [{ name, status: 'ok', message: `answers at ${baseUrl} (${state})` }, ...warnings]
    return [{ name, status: 'fail', message: `answers ${response.status} at ${baseUrl}/readyz (${state}): read its log` }, ...warnings]
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? reasonOf(error.cause) : reasonOf(error)
    const message = `no answer from Portaria at ${baseUrl}/readyz (${reason}): start it with \`portaria serve\`, give this command the service's own PORT and PORTARIA_URL, or fix the proxy`
    return [{ name, status: 'warn', message }]
  }
}

function warningsOf(body: unknown): string[] {
  if (typeof body !== 'object' || body === null || !('warnings' in body) || !Array.isArray(body.warnings)) return []
  return body.warnings.filter((warning) => typeof warning === 'string')
}

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}
