import { alert } from './components.ts'
import type { Language } from './languages.ts'
import { inMinutes, texts } from './texts.ts'

/** Too many passwords wait to be checked. */
export function busyAlert(language: Language): string {
  const { busy, busyAdvice } = texts[language].login
  return alert(busy, { advice: busyAdvice })
}

/** Too many attempts at one account. */
export function tooManyAttemptsAlert(language: Language, retryAfterSeconds: number | undefined): string {
  const { tooManyAttempts, tooManyAttemptsAdvice } = texts[language].login
  return alert(tooManyAttempts, { advice: tooManyAttemptsAdvice(inMinutes(retryAfterSeconds, language)) })
}

/** Too many requests of one network. */
export function tooManyRequestsAlert(language: Language, retryAfterSeconds: number | undefined): string {
  const { tooManyRequests, tooManyRequestsAdvice } = texts[language]
  return alert(tooManyRequests, { advice: tooManyRequestsAdvice(inMinutes(retryAfterSeconds, language)) })
}
