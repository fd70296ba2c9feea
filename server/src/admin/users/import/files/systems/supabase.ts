import { object, text, time } from '../export-values.ts'
import { BLOCKED, type OtherSystem } from './other-system.ts'

export const supabase = {
  marks: [['encrypted_password']],
  read(user) {
    const banned = time(user.banned_until)
    if (text(user.deleted_at) || (banned && Date.parse(banned) > Date.now())) return BLOCKED
    // It names subjects at providers too, which the user may have written there: nothing may be linked by them.
    const more = object(user.raw_user_meta_data)
    return {
      external_id: text(user.id),
      email: user.email,
      email_verified: text(user.email_confirmed_at) !== undefined,
      name: text(more.full_name) ?? text(more.name),
      // Supabase has numbers without the plus.
      phone: text(user.phone)?.replace(/^(?=\d)/, '+'),
      created_at: time(user.created_at),
      password_hash: text(user.encrypted_password),
    }
  },
} as const satisfies OtherSystem
