import { html } from 'ghtml'
import { ownHref } from './href.ts'
import type { Language } from './languages.ts'
import { pageTexts } from './layout-texts.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set during an impersonation, before any page is made. */
    impersonation: ImpersonationNotice | undefined
  }
}

/** The administrator, the user, and the end (ms). */
export interface ImpersonationNotice {
  by: string
  for: { name: string; email: string | undefined }
  until: number
}

/** The address that the banner's button posts to. */
export const STOP_IMPERSONATION = '/auth/impersonation/stop'
const TIME_ZONE = 'America/Sao_Paulo'

/** Above every page of ours during an impersonation: in words, read out, and always with the way out. */
export function impersonationBanner(language: Language, { by, for: { name, email }, until }: ImpersonationNotice): string {
  const labels = pageTexts[language].impersonation
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: TIME_ZONE }).format(until)
  return html`<section class="impersonation" aria-label="${labels.label}">
<div role="status"><strong>${labels.as(name)}</strong><span>${email === undefined ? '' : `${email} · `}${labels.by(by)} · ${labels.until(time)}</span></div>
<form method="post" action="${ownHref(STOP_IMPERSONATION)}"><button class="button" type="submit">${labels.stop}</button></form>
</section>
`
}
