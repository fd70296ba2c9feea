import { AMOUNTS, type Figures } from './figures.ts'

type Numbers = Record<string, number>
interface Days {
  from: string
  to: string
  figures: Numbers
}
interface Part {
  figures: Numbers
  before: Numbers
}

/** A report as the API answers it, as far as it is compared. */
export interface PrintedReport extends Days {
  before: Days
  plans: Array<Part & { product: string | null; plan_slug: string }>
  other_currencies: Array<Part & { currency: string }>
  days: Array<{ day: string; figures: Numbers }>
}

/** Its figures, each by what it is of. */
export function figuresOfJson(report: PrintedReport): Figures {
  const all: Figures = new Map()
  const put = (of: string, figures: Numbers) => {
    for (const [name, value] of Object.entries(figures))
      all.set(all.has(`${of}: ${name}`) ? `${of}, again: ${name}` : `${of}: ${name}`, value)
  }
  for (const [suffix, { from, to, figures }] of Object.entries({ '': report, ' before': report.before })) {
    all.set(`days${suffix}`, `${from} to ${to}`)
    put(`month${suffix}`, figures)
  }
  for (const part of [...report.plans, ...report.other_currencies]) {
    const of = 'currency' in part ? `currency ${part.currency}` : `plan ${part.product ?? '-'} ${part.plan_slug}`
    put(of, part.figures)
    put(`${of} before`, part.before)
  }
  for (const { day, figures } of report.days) put(`day ${day}`, figures)
  return all
}

/** Those of a CSV, whose amounts have a point where the currency has decimal places. */
export function figuresOfCsv(text: string): Figures {
  const lines = text.trim().split('\n')
  const [head = [], ...rows] = lines.map((line) => line.split(','))
  const all: Figures = new Map()
  for (const row of rows) {
    const named = Object.fromEntries(head.map((name, index) => [name, row[index] ?? '']))
    const { scope = '', from, to, product, plan, currency = '', ...figures } = named
    const [kind = '', ...before] = scope.split(' ')
    const subjects: Record<string, string> = { plan: ` ${product || '-'} ${plan}`, currency: ` ${currency}`, day: ` ${from}` }
    const suffix = before.map((each) => ` ${each}`).join('')
    if (kind === 'month') all.set(`days${suffix}`, `${from} to ${to}`)
    const places = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits
    for (const [name, value] of Object.entries(figures)) {
      const isPrinted = (value.split('.')[1] ?? '').length === (AMOUNTS.includes(name) ? places : 0)
      all.set(`${kind}${subjects[kind] ?? ''}${suffix}: ${name}`, isPrinted ? Number(value.replace('.', '')) : value)
    }
  }
  return all
}
