import { hiddenFlow } from '../browser.ts'
import type { TestDatabase } from '../databases.ts'
import { startMailbox } from '../mailbox.ts'
import { countedPasswords } from '../routes/raw-requests.ts'
import { startService, type TestService } from '../service.ts'

/** A good password, not the one that users have at first. */
export const NEW = 'girassol azul no telhado'
export const ANA = 'ana@exemplo.com.br'

/** Starts a service that sends mail to a real mailbox, with Ana's account, and a browser that knows the forms. */
export function mailedService(database: TestDatabase) {
  return async (environment: Record<string, string> = {}) => {
    const mailbox = await startMailbox()
    const passwords = countedPasswords()
    const clock = { now: Date.now() }
    const options = { environment: { PORTARIA_SMTP_URL: mailbox.url, ...environment }, passwords, clock }
    const service = await startService(await database.fresh(), options)
    const ana = await service.user(ANA)
    const browser = service.browser()
    const signUp = async (email: string, { password = NEW, as = browser } = {}) =>
      as.submit('/sign-up', { flow: hiddenFlow((await as.get('/sign-up')).text), name: 'Bia Souza', email, password })
    const recover = async (email: string, as = browser) =>
      as.submit('/recover', { flow: hiddenFlow((await as.get('/recover')).text), email })
    return { mailbox, service, passwords, clock, ana, browser, signUp, recover }
  }
}

/** The id of the user whose live session a token is. */
export async function userOf(service: TestService, token: string | undefined): Promise<string | undefined> {
  const check = await fetch(`${service.url}/auth/check`, { headers: { cookie: `eg_session=${token}` } })
  return ((await check.json()) as { session?: { sub: string } }).session?.sub
}

export async function canSignIn(service: TestService, password: string, email = ANA): Promise<boolean> {
  return (await service.browser().signIn('/login', { email, password })).status === 302
}

export function times(n: number): number[] {
  return Array.from({ length: n }, (_, i) => i)
}

export function ticketOf(link: string): string {
  return new URL(link, 'http://x').searchParams.get('ticket') ?? ''
}
