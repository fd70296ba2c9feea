import { composeMail, type MailData, type MailKind, type MailLook } from '../../server/src/mail/index.ts'
import { type Language, languages } from '../../server/src/pages/index.ts'

const BASE = 'https://entrar.exemplo.com.br'
const SECRET = 'pT4vZ1yKq8mWc3RxN7sLd0HbFgJ5uEaO2iXkYtVzQwM'
const name = 'Ana Flávia'
const where = { name, when: Date.UTC(2026, 10, 21, 2, 40), device: 'Firefox, Android', ip: '2001:db8:85a3:8d31:1319:8a2e:3701:7348' }
const reportUrl = `${BASE}/report-sign-in?ticket=${SECRET}`
const provider = 'Universidade Federal do Rio Grande do Norte'

const failing = {
  name,
  endpoint: 'academia.exemplo.com.br/avisos/portaria',
  product: 'Academia de Música da Serra',
  since: where.when,
  answer: '503',
  url: `${BASE}/admin/endpoints/0199c2b4-c1d2-7e30-8f41-5a6b7c8d9e0f/show`,
}

/** The content of each mail in the pictures: the longest that is likely. */
const samples: MailData = {
  confirm_address: { name, code: '048151', url: `${BASE}/verify?ticket=${SECRET}`, minutes: 60 },
  account_exists: { name, signInUrl: `${BASE}/login`, recoverUrl: `${BASE}/recover` },
  reset_password: { name, url: `${BASE}/reset-password?ticket=${SECRET}`, minutes: 30 },
  password_changed: { ...where, recoverUrl: `${BASE}/recover`, passkeys: 2 },
  passkey_added: { ...where, reportUrl },
  passkey_removed: { ...where, reportUrl },
  confirm_new_address: { name, url: `${BASE}/confirm-email?ticket=${SECRET}`, minutes: 60 },
  address_changed: { name, newAddress: 'ana.flavia.vasconcelos.de.albuquerque@instituto.exemplo.com.br', reportUrl },
  second_factor_on: { ...where, reportUrl },
  second_factor_off: { ...where, reportUrl },
  recovery_codes_renewed: { ...where, reportUrl },
  factors_removed: { name, when: where.when, reportUrl },
  recovery_code_used: { ...where, left: 9, reportUrl },
  tax_id_corrected: { ...where, taxId: '***.982.247-**', reportUrl },
  tax_id_changed_by_support: { name, when: where.when, taxId: '***.982.247-**', reportUrl },
  new_device: { ...where, reportUrl },
  invitation: { name, url: `${BASE}/invitation?ticket=${SECRET}`, days: 7 },
  endpoint_failing: { ...failing, disablesAt: where.when + 4 * 86_400_000 },
  endpoint_disabled: { ...failing, cause: 'failing' },
  role_given: { name, role: 'support', url: `${BASE}/admin` },
  identity_linked: { name, provider, reportUrl },
  identity_unlinked: { ...where, provider, reportUrl },
  account_claimed: { name, provider },
  impersonated: { name, when: where.when, until: where.when + 15 * 60_000, reason: 'Pedido por telefone: a compra do plano não aparece' },
  deletion_requested: { name, dueAt: where.when, undoUrl: `${BASE}/undo-deletion?ticket=${SECRET}`, days: 7 },
  account_deleted: { name },
}

/** The HTML of every mail in every language, as a client shows it; in the built-in look where none is given. */
export function everyMail(look?: MailLook): Array<{ name: string; language: Language; html: string }> {
  return languages.flatMap((language) => kinds.map((kind) => ({ name: `mail-${kind}`, language, html: htmlOf(kind, language, look) })))
}

const kinds: MailKind[] = [
  'confirm_address',
  'account_exists',
  'reset_password',
  'password_changed',
  'passkey_added',
  'passkey_removed',
  'confirm_new_address',
  'address_changed',
  'second_factor_on',
  'second_factor_off',
  'recovery_codes_renewed',
  'factors_removed',
  'recovery_code_used',
  'tax_id_corrected',
  'tax_id_changed_by_support',
  'new_device',
  'invitation',
  'role_given',
  'endpoint_failing',
  'endpoint_disabled',
  'identity_linked',
  'identity_unlinked',
  'account_claimed',
  'impersonated',
  'deletion_requested',
  'account_deleted',
]

function htmlOf<Kind extends MailKind>(kind: Kind, language: Language, look: MailLook | undefined): string {
  return composeMail(kind, language, samples[kind], look).html
}
