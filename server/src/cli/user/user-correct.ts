import type { Command } from 'commander'
import { type Correction, type CorrectUserRefusal, correctUser, inviteOf } from '../../admin/index.ts'
import { type User, userStore } from '../../users/index.ts'
import { OPERATOR } from '../command/cli-context.ts'
import type { CommandContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { detailsJson, readDetails } from './user-view.ts'

export interface CorrectOptions {
  newEmail?: string
  phone?: string
  taxId?: string
  reason: string
}

/** The options of `user correct`. */
export function addCorrections(command: Command): Command {
  return command
    .option('--new-email <address>', 'the new address, which gets a link; it changes once its owner has confirmed')
    .option('--phone <number>', 'in international form, or a Brazilian number without country code; an empty text removes it')
    .option('--tax-id <number>', 'CPF or CNPJ; an empty text removes it')
    .requiredOption('--reason <text>', 'for the audit log')
}

/** `user correct`: corrects a user's data, and says what happens next. */
export const correcting =
  (options: CorrectOptions) =>
  async (user: User, context: CommandContext): Promise<Outcome> => {
    const correction = correctionOf(options)
    if (Object.keys(correction).length === 0) return { misuse: 'nothing to correct: give --new-email, --phone or --tax-id' }
    const deps = { ...context, taxIdKey: context.masterKeys.taxIdIndex, invite: inviteOf(context), actor: OPERATOR }
    const corrected = await correctUser(user, correction, options.reason, deps)
    if ('refusal' in corrected) return { complaint: sentences[corrected.refusal] }
    const now = (await userStore(context.storage.db).findById(user.id)) ?? user
    return { json: detailsJson(await readDetails(now, context)), text: said[corrected.address ?? 'none'] }
  }

function correctionOf({ newEmail, phone, taxId }: CorrectOptions): Correction {
  return {
    ...(newEmail !== undefined && { email: newEmail }),
    ...(phone !== undefined && { phone: phone || null }),
    ...(taxId !== undefined && { taxId: taxId || null }),
  }
}

const said = {
  none: 'Corrected.',
  asked:
    'Corrected. A link went to the new address: it takes effect once its owner has signed in with it, within an hour. Until then the old one stays.',
  changed: 'Corrected. Nobody had entered this account, so it has the new address at once; an invitation went there.',
} as const

const sentences = {
  email_malformed: 'this is no email address: give one like ana@example.com',
  email_taken: 'an account with this address exists: see it with `portaria user show EMAIL`',
  same_email: 'this is the address of the account already',
  phone_malformed: 'this is no phone number: give it with + and the country code, or as a Brazilian one with its area code',
  tax_id_malformed: 'this is no CPF or CNPJ: a digit may have been swapped',
  tax_id_taken: 'another account has this tax id: find it with `portaria user list --search NUMBER`',
  no_mail: 'a new address has to be confirmed by mail, and no mail goes out: set PORTARIA_SMTP_URL',
  disabled: 'the account is disabled: enable it first, with `portaria user enable`',
  changed_meanwhile: 'the account was changed by someone else meanwhile: look at it again',
  not_found: 'there is no such user: find the address or id with `portaria user list`',
} as const satisfies Record<CorrectUserRefusal['refusal'], string>
