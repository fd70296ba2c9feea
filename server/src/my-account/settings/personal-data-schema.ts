import { z } from 'zod'
import { jsonAnswer, redirectAnswer } from '../../http/index.ts'
import { tooManyPage } from '../../sign-in/index.ts'
import { FRESH, own, page, responses } from '../page-schemas.ts'

export const dataSchema = {
  ...page('The page, with a button'),
  operationId: 'showExportForm',
  summary: 'What the download of one’s data holds',
}

const time = z.iso.datetime().nullable()
const personalData = z
  .object({
    format: z.literal('portaria-personal-data/1'),
    service: z.url(),
    exported_at: z.iso.datetime(),
    profile: z.looseObject({
      id: z.uuid(),
      email: z.email(),
      name: z.string(),
      tax_id: z.object({ kind: z.string().nullable(), number: z.string().nullable() }).nullable(),
    }),
    sign_in: z.looseObject({
      has_password: z.boolean(),
      two_step_since: time,
      recovery_codes_left: z.int(),
      passkeys: z.array(z.object({ name: z.string(), created_at: time, last_used_at: time })),
    }),
    sessions: z.array(z.looseObject({ id: z.uuid(), begun_at: time, last_seen_at: time, ip: z.string(), user_agent: z.string() })),
    consents: z.looseObject({
      nda: z.looseObject({ version: z.string(), accepted_at: time }).nullable(),
      sharings: z.array(z.looseObject({})),
    }),
    apps: z.array(z.object({ product: z.string(), first_opened_at: time })),
    purchases: z.array(z.looseObject({ id: z.uuid(), plan_slug: z.string().nullable(), status: z.string(), active: z.boolean() })),
    notifications: z.array(z.looseObject({ id: z.uuid(), source: z.string(), event: z.string(), received_at: time })),
    mails: z.array(z.object({ kind: z.string(), at: time })),
    links: z.array(z.object({ purpose: z.string(), email: z.email(), made_at: time, expires_at: time })),
    audit: z.array(z.looseObject({ at: time, action: z.string(), by: z.enum(['you', 'operator', 'service', 'product']) })),
  })
  .meta({
    id: 'PersonalData',
    description: 'Times are ISO 8601 in UTC, money is centavos. No secret, no hash of one, nothing of anyone else.',
  })

export const exportSchema = {
  ...own,
  operationId: 'downloadPersonalData',
  summary: 'Everything that is kept about one, as a JSON file',
  description: `\`portaria user export\` prints the same. Ten times an hour. ${FRESH}`,
  response: {
    200: jsonAnswer('The file', personalData),
    302: redirectAnswer('To /login for someone who is not signed in, or has not authenticated within the last 10 minutes'),
    ...responses,
    429: tooManyPage,
  },
}
