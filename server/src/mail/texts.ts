import type { Language } from '../pages/index.ts'
import { en } from './texts/en.ts'
import { es } from './texts/es.ts'
import { ptBR, type Texts } from './texts/pt-br.ts'

export type { Texts } from './texts/pt-br.ts'

export const texts = { 'pt-BR': ptBR, en, es } as const satisfies Record<Language, Texts>
