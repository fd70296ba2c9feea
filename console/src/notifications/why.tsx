import { useTexts } from '../i18n/use-texts.ts'
import { Absent } from '../kit/show/values.tsx'
import { labelOf } from '../payments/label-of.ts'
import type { Notification } from './notification.ts'
import { whyTexts } from './why-texts.ts'

/** Why it stands as it does, in a few words. */
export function WhyShort({ notification: { why } }: { notification: Pick<Notification, 'why'> }) {
  const texts = useTexts(whyTexts)
  return why === null ? <Absent /> : labelOf(texts.short, why)
}

/** Why it stands as it does, and what to do about it, in a sentence. */
export function useWhySentence({ status, why }: Pick<Notification, 'status' | 'why'>): string {
  const texts = useTexts(whyTexts)
  const known = why !== null && Object.hasOwn(texts.sentence, why) ? labelOf(texts.sentence, why) : undefined
  switch (status) {
    case 'processed':
      return known ?? texts.processed
    case 'test':
      return texts.test
    case 'failed':
      return known ?? texts.failed
    case 'refused':
      return texts.refused(why ?? '')
    case 'unresolved':
      return known ?? why ?? ''
    case 'ignored':
      return known ?? (why === null ? texts.ignored : texts.ignoredBy(why))
  }
}
