import type { Voice } from '../texts.ts'

const TIME_ZONE = 'America/Sao_Paulo'

/** A moment (ms) in words, with the zone: "21 de novembro de 2026 às 05:40 (horário de Brasília, GMT-3)". */
export function formatMoment(at: number, { language, labels }: Voice): string {
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: TIME_ZONE }).format(at)
  return `${moment.replace(/\s+/g, ' ')} (${labels.timeZone(offsetOf(at))})`
}

function offsetOf(at: number): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: TIME_ZONE, timeZoneName: 'shortOffset' }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
}

/** A length of time in words: "30 minutos", "7 dias". */
export function lasting(count: number, unit: 'minute' | 'day', { language }: Voice): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
