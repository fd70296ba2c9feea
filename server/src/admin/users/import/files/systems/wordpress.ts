import { idOf, language, text, time } from '../export-values.ts'
import type { OtherSystem } from './other-system.ts'

export const wordpress = {
  marks: [['user_pass', 'user_email']],
  // WordPress asks for no mailbox: no address is verified.
  read: (user) => ({
    external_id: idOf(user.ID),
    email: user.user_email,
    name: text(user.display_name),
    language: language(user.locale),
    created_at: time(user.user_registered),
    password_hash: text(user.user_pass),
  }),
} as const satisfies OtherSystem
