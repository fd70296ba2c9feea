import { html } from 'ghtml'
import { ownHref } from './href.ts'
import type { Language } from './languages.ts'
import { pageTexts } from './layout-texts.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where an administrator acts for somebody in this browser, before any page is made. */
    impersonation: ImpersonationNotice | undefined
  }
}

/** Who acts, for whom, and until when (ms). */
export interface ImpersonationNotice {
  by: string
  for: { name: string; email: string | undefined }
  until: number
}

/** Where the banner's button posts to. */
export const STOP_IMPERSONATION = '/auth/impersonation/stop'
const TIME_ZONE = 'America/Sao_Paulo'

/** Above every page of ours while an administrator acts for somebody: said in words, read out, and never without the way out. */
export function impersonationBanner(language: Language, { by, for: { name, email }, until }: ImpersonationNotice): string {
  const words = pageTexts[language].impersonation
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: TIME_ZONE }).format(until)
  return html`<section class="impersonation" aria-label="${words.label}">
<div role="status"><strong>${words.as(name)}</strong><span>${email === undefined ? '' : `${email} · `}${words.by(by)} · ${words.until(time)}</span></div>
<form method="post" action="${ownHref(STOP_IMPERSONATION)}"><button class="button" type="submit">${words.stop}</button></form>
</section>
`
}
