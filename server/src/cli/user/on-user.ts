import type { Command } from 'commander'
import { findUser } from '../../admin/index.ts'
import { type User, userStore } from '../../users/index.ts'
import { addVerb, type CliContext } from '../command/cli-context.ts'
import { paragraphs } from '../command/layout.ts'
import { type CommandContext, withContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { userSentence } from '../sentences/user-sentences.ts'
import { detailsJson, readDetails, userFields } from './user-view.ts'

export interface UserOptions {
  json?: boolean
  email?: string
  id?: string
  passwordStdin?: boolean
}
const WHO = 'the user, by email address, id or external id'

export type UserWork = (user: User, context: CommandContext) => Promise<Outcome>

/** A command about one user, named by argument or by option. */
export function addWho(user: Command, name: string, help: { summary: string; example: string }): Command {
  return addVerb(user, name, help).argument('[user]', WHO).option('--email <address>', WHO).option('--id <id>', WHO)
}

export async function onUser(who: string | undefined, { email, id }: UserOptions, cli: CliContext, work: UserWork): Promise<Outcome> {
  const [named, ...others] = [who, email, id].filter((name) => name !== undefined)
  if (named === undefined || others.length > 0)
    return { misuse: 'name one user, by email address, id or external id: `portaria user show ana@example.com`' }
  return withContext(cli, async (context) => {
    const { db } = context.storage
    const user = (await findUser(db, named)) ?? (await userStore(db).findByExternalId(named))
    return user ? work(user, context) : { complaint: userSentence({ refusal: 'not_found' }) }
  })
}

export async function showUser(user: User, context: CommandContext, hint?: string): Promise<Outcome> {
  const details = await readDetails(user, context)
  return { json: detailsJson(details), text: paragraphs(userFields(details, context), hint) }
}

/** The account for programs; a sentence for users. */
export async function reportUser({ id }: User, context: CommandContext, text: string): Promise<Outcome> {
  const user = await userStore(context.storage.db).findById(id)
  return user ? { json: detailsJson(await readDetails(user, context)), text } : { complaint: userSentence({ refusal: 'not_found' }) }
}

export function sessionsText(count: number): string {
  return count === 1 ? '1 session' : `${count} sessions`
}
