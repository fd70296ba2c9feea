import type { Language } from './languages.ts'
import { frameEn } from './texts/frame/en.ts'
import { frameEs } from './texts/frame/es.ts'
import { framePtBR } from './texts/frame/pt-br.ts'

/** The words of the frame around every page, and of pages about an error. */
export const pageTexts = { 'pt-BR': framePtBR, en: frameEn, es: frameEs } satisfies Record<Language, typeof framePtBR>
