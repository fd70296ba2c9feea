import { idOf, isTrue, text, time } from '../export-values.ts'
import { BLOCKED, type OtherSystem } from './other-system.ts'

export const betterAuth = {
  marks: [['emailVerified', 'createdAt', 'updatedAt']],
  read(user) {
    if (isTrue(user.banned)) return BLOCKED
    return {
      external_id: idOf(user.id),
      email: user.email,
      email_verified: isTrue(user.emailVerified),
      name: text(user.name),
      phone: text(user.phoneNumber),
      created_at: time(user.createdAt),
      password_hash: text(user.password),
    }
  },
} as const satisfies OtherSystem
