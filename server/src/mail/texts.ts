import type { Language } from '../pages/index.ts'
import { createEn } from './texts/en.ts'
import { createEs } from './texts/es.ts'
import { createPtBR, type Texts } from './texts/pt-br.ts'
import { type TaxIdTexts, taxIdTexts } from './texts/tax-id.ts'

export type { Texts } from './texts/pt-br.ts'

const texts = { 'pt-BR': createPtBR, en: createEn, es: createEs } as const satisfies Record<Language, (service: string) => Texts>

/** The words of one mail: in its language, and in the name of the service that sends it. */
export interface Voice {
  language: Language
  labels: Texts & TaxIdTexts
}

export function voiceOf(language: Language, service: string): Voice {
  return { language, labels: { ...texts[language](service), ...taxIdTexts[language] } }
}
