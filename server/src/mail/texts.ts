import type { Language } from '../pages/index.ts'
import { en } from './texts/en.ts'
import { es } from './texts/es.ts'
import { ptBR } from './texts/pt-br.ts'

/** Every text of the mails. The Portuguese dictionary is the master; a key missing elsewhere fails the type check. */
export type Texts = typeof ptBR

export const texts = { 'pt-BR': ptBR, en, es } as const satisfies Record<Language, Texts>
