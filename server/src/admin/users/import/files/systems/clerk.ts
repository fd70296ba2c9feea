import { joined, text } from '../export-values.ts'
import type { OtherSystem } from './other-system.ts'

// The table of its dashboard, which alone has hashes; it has no times.
export const clerk = {
  marks: [['primary_email_address']],
  read(user) {
    const email = text(user.primary_email_address)
    return {
      external_id: text(user.id),
      email,
      email_verified: (text(user.verified_email_addresses) ?? '').split(/[\s,;|]+/).includes(email ?? ''),
      name: joined(user.first_name, user.last_name),
      phone: text(user.primary_phone_number),
      totp_secret: text(user.totp_secret),
      password_hash: text(user.password_digest),
    }
  },
} as const satisfies OtherSystem
