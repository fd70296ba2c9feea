import type { Command } from 'commander'
import type { AppContext } from '../../context.ts'
import { type IdentityProvider, providerStore } from '../../identity-providers/index.ts'
import { addVerb, type CliContext } from '../command/cli-context.ts'
import { paragraphs } from '../command/layout.ts'
import type { Outcome } from '../command/output.ts'
import { NO_SUCH_PROVIDER } from '../sentences/provider-sentences.ts'
import { examineProvider } from './examine-provider.ts'
import { findingFields, findingsTable, hasFailed } from './provider-findings.ts'

export const ID = "the provider's id, as `idp list` shows it"

export function addTest(idp: Command, cli: CliContext): void {
  addVerb(idp, 'test', { summary: 'test a provider as far as possible without a user', example: 'idp test google' })
    .argument('<id>', ID)
    .action((id: string, options: { json?: boolean }) => cli.onDatabase(options, (context) => test(id, context)))
}

async function test(id: string, context: AppContext): Promise<Outcome> {
  const provider = await providerStore(context.storage.db).findById(id)
  if (!provider) return { complaint: NO_SUCH_PROVIDER }
  const findings = await examineProvider(provider, context)
  const failed = hasFailed(findings)
  return {
    json: findings.map(findingFields),
    text: paragraphs(findingsTable(findings), failed ? adviceAfterFailure(provider) : `${provider.name} can be used.`),
    failed,
  }
}

function adviceAfterFailure({ id }: IdentityProvider): string {
  const settings = `Its settings are changed by \`portaria idp remove ${id}\` and \`portaria idp add\`; accounts stay.`
  return `Users can't sign in through it: fix the steps marked FAIL. ${settings}`
}
