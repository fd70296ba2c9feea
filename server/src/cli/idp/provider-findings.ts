import type { ProviderFinding } from '../../identity-providers/index.ts'
import { type Text, table } from '../command/layout.ts'

export function hasFailed(findings: readonly ProviderFinding[]): boolean {
  return findings.some(({ result }) => result === 'fail')
}

export function findingFields({ check, result, says }: ProviderFinding) {
  return { check, result, says }
}

/** `undefined` where nothing was tested. */
export function findingsTable(findings: readonly ProviderFinding[]): Text | undefined {
  if (findings.length === 0) return undefined
  const labels = { ok: 'ok', warn: 'warn', fail: 'FAIL' } as const satisfies Record<ProviderFinding['result'], string>
  const rows = findings.map(({ check, result, says }) => [labels[result], check.replaceAll('_', ' '), says])
  return table(['result', 'check', 'says'], rows)
}
