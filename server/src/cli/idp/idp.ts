import type { Command } from 'commander'
import type { AppContext } from '../../context.ts'
import { removeProvider } from '../../identity-providers/index.ts'
import { addVerb, type CliContext, OPERATOR } from '../command/cli-context.ts'
import type { Outcome } from '../command/output.ts'
import { NO_SUCH_PROVIDER } from '../sentences/provider-sentences.ts'
import { addAdd } from './idp-add.ts'
import { addListing } from './idp-list.ts'
import { addTest, ID } from './idp-test.ts'

/** `portaria idp …`: the identity providers for sign-in. */
export function idpCommands(program: Command, cli: CliContext): void {
  const idp = program.command('idp').description('identity providers for sign-in (OpenID Connect)')
  addAdd(idp, cli)
  addListing(idp, cli)
  addTest(idp, cli)
  addRemove(idp, cli)
}

export function addRemove(idp: Command, cli: CliContext): void {
  addVerb(idp, 'remove', { summary: 'disconnect a provider; accounts stay', example: 'idp remove google' })
    .argument('<id>', ID)
    .action((id: string, options: { json?: boolean }) => cli.onDatabase(options, (context) => remove(id, context)))
}

async function remove(id: string, context: AppContext): Promise<Outcome> {
  if ((await removeProvider(id, { ...context, actor: OPERATOR })) === 'not_found') return { complaint: NO_SUCH_PROVIDER }
  return {
    json: { id, removed: true },
    text: `Removed ${id}: nobody signs in through it any more. Accounts stay; who has no password sets one by "forgot password".`,
  }
}
