import type { Language } from './languages.ts'
import { en } from './texts/en.ts'
import { es } from './texts/es.ts'
import { ptBR, type Texts } from './texts/pt-br.ts'

export type { Texts } from './texts/pt-br.ts'

export const texts = { 'pt-BR': ptBR, en, es } as const satisfies Record<Language, Texts>

/** A waiting time in words, in whole minutes, rounded up: "3 minutos"; "alguns minutos" where it is not known. */
export function inMinutes(seconds: number | undefined, language: Language): string {
  if (seconds === undefined) return texts[language].login.fewMinutes
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  return new Intl.NumberFormat(language, { style: 'unit', unit: 'minute', unitDisplay: 'long' }).format(minutes)
}
