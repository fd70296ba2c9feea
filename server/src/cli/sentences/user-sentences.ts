import type { PasswordRefusal } from '../../admin/index.ts'
import type { UserRefusal } from '../../users/index.ts'
import { NAME } from './forms.ts'

const accounts = {
  email_malformed: 'this is no email address: give one like ana@example.com',
  name_malformed: `${NAME}, 200 characters at most`,
  email_taken: 'an account with this address exists: see it with `portaria user show EMAIL`, change it with `portaria user set EMAIL`',
  avatar_malformed: 'the avatar must be an https:// address, 2048 characters at most',
  not_found: 'there is no such user: find the address or id with `portaria user list`',
  changed_meanwhile: 'the account was changed by someone else meanwhile: look at it again',
  last_owner: 'this is the last enabled owner: make another first, with `portaria user set EMAIL --role owner`',
} as const satisfies Record<UserRefusal['refusal'], string>

const passwords = {
  too_short: 'the password is too short: 8 characters or more',
  too_long: 'the password is too long: 1024 bytes at most',
  busy: 'too many passwords are being hashed: try again in a moment',
} as const satisfies Record<PasswordRefusal['refusal'], string>

export function userSentence({ refusal }: UserRefusal | PasswordRefusal): string {
  return { ...accounts, ...passwords }[refusal]
}
