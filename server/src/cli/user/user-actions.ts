import type { Command } from 'commander'
import { deleteUser, disableUser, enableUser, revokeUserSessions } from '../../admin/index.ts'
import { recordAudit } from '../../audit/index.ts'
import { readPersonalData } from '../../personal-data/index.ts'
import type { User } from '../../users/index.ts'
import { type CliContext, OPERATOR } from '../command/cli-context.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { userSentence } from '../sentences/user-sentences.ts'
import { addWho, onUser, reportUser, sessionsText, type UserOptions, type UserWork } from './on-user.ts'
import { addCorrections, type CorrectOptions, correcting } from './user-correct.ts'
import { removeUserFactors } from './user-factors.ts'

export function addActions(user: Command, cli: CliContext): void {
  addWho(user, 'disable', {
    summary: 'end sign-in, sessions and access tokens at once',
    example: 'user disable ana@example.com --reason "left the company"',
  })
    .option('--reason <text>', 'for the audit log')
    .action((who: string | undefined, options: UserOptions & { reason?: string }) =>
      cli.print(
        options,
        onUser(who, options, cli, async (account, context) => {
          const done = await disableUser(account, options.reason, { ...context, actor: OPERATOR })
          return 'refusal' in done
            ? { complaint: userSentence(done) }
            : reportUser(account, context, `Disabled, ${sessionsText(done.ended)} ended.`)
        }),
      ),
    )
  addAction(user, cli, 'enable', 'let a disabled user sign in again', async (account, context) => {
    const enabled = await enableUser(account, { ...context, actor: OPERATOR })
    if ('refusal' in enabled) return { complaint: userSentence(enabled) }
    return reportUser(account, context, 'Enabled: the user can sign in again.')
  })
  addWho(user, 'remove-factors', {
    summary: 'for someone who has lost every factor: remove second factor and passkeys, end all sessions',
    example: 'user remove-factors --email ana@example.com --reason "lost the phone; identity checked by video call"',
  })
    .requiredOption('--reason <text>', 'how you know that it is them, for the audit log')
    .action((who: string | undefined, options: UserOptions & { reason: string }) =>
      cli.print(options, onUser(who, options, cli, removeUserFactors(options.reason))),
    )
  addCorrections(
    addWho(user, 'correct', {
      summary: 'put right an address, a phone or a tax id that is wrong',
      example: 'user correct ana@example.com --phone "(11) 91234-5678" --reason "by telephone, identity checked"',
    }),
  ).action((who: string | undefined, options: UserOptions & CorrectOptions) =>
    cli.print(options, onUser(who, options, cli, correcting(options))),
  )
  addAction(user, cli, 'revoke-sessions', 'sign a user out everywhere', async (account, context) => {
    const revoked = await revokeUserSessions(account, { ...context, actor: OPERATOR })
    if ('refusal' in revoked) return { complaint: userSentence(revoked) }
    return reportUser(account, context, `${sessionsText(revoked.ended)} ended.`)
  })
  addWho(user, 'export', {
    summary: 'print all data stored about a user, as JSON',
    example: 'user export --email ana@example.com > ana.json',
  }).action((who: string | undefined, options: UserOptions) => cli.print(options, onUser(who, options, cli, exportUser)))
  addAction(user, cli, 'delete', 'remove an account and everything that is its alone', async (account, context) => {
    const refused = await deleteUser(account, { ...context, actor: OPERATOR })
    if (refused) return { complaint: userSentence(refused) }
    return { json: { id: account.id, email: account.email, deleted: true }, text: `Deleted ${account.email} (${account.id}).` }
  })
}

function addAction(user: Command, cli: CliContext, name: string, summary: string, action: UserWork): void {
  addWho(user, name, { summary, example: `user ${name} ana@example.com` }).action((who: string | undefined, options: UserOptions) =>
    cli.print(options, onUser(who, options, cli, action)),
  )
}

/** The file that the user could download; the same with and without `--json`. */
async function exportUser(user: User, context: CommandContext): Promise<Outcome> {
  const { storage, sealer, config, now } = context
  await recordAudit(storage.db, { actor: OPERATOR, action: 'user.export', target: user.id }, now())
  const json = await readPersonalData(user, { storage, sealer, baseUrl: config.baseUrl, now })
  return { json, text: JSON.stringify(json, undefined, 2) }
}
