import { Link } from '@mui/material'
import type { ReactNode } from 'react'
import { useLocale } from 'react-admin'
import { Link as RouterLink } from 'react-router-dom'
import { localeOf } from '../../i18n/locales.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import type { Counts, Overview } from '../overview.ts'
import type { Figures, MonthReport } from '../report.ts'
import type { Figure } from './figure-card.tsx'
import { figureTexts } from './figure-texts.ts'
import { textOf } from './formats.ts'
import { lists } from './lists.ts'

type OfReport = 'active' | 'mrr' | 'net' | 'new' | 'lost'
type OfOverview = 'sign_ins' | 'failed_sign_ins' | 'new_users' | 'failed_notifications'

/** The figures of the month, in their order, with the lists that they lead to. */
export function useFigures(overview: Overview, report: MonthReport): Figure[] {
  const texts = useTexts(figureTexts)
  const moments = overview.month
  const notes = useNotes(report.figures, overview)
  const ofReport = (name: OfReport, rest: Rest): Figure => ({
    ...{ name, label: texts.figures[name], kind: 'count', shape: 'bars', tone: 'primary', path: undefined },
    ...{ value: report.figures[name], before: report.before.figures[name], values: report.days.map(({ figures }) => figures[name]) },
    ...rest,
  })
  const ofOverview = (name: OfOverview, rest: Rest): Figure => ({
    ...{ name, label: texts.figures[name], kind: 'count', shape: 'bars', tone: 'primary', path: undefined },
    ...{ value: sumOf(overview.days, name), before: moments.before.counts[name], values: overview.days.map((day) => day[name]) },
    ...rest,
  })
  return [
    ofReport('active', { shape: 'line', path: lists.active(report.to), note: notes.active }),
    ofReport('mrr', { kind: 'money', shape: 'line', path: lists.mrr(report.to), note: notes.mrr }),
    ofReport('net', { kind: 'money', path: lists.transactions(moments), note: notes.net }),
    ofReport('new', { path: lists.changed('new', moments), note: notes.new }),
    ofReport('lost', { tone: 'error', path: lists.changed('lost', moments), note: texts.lostAre }),
    ofOverview('new_users', { path: lists.newUsers(moments), note: texts.newUsersAre }),
    ofOverview('sign_ins', { path: lists.signIns(moments), note: notes.signIns }),
    ofOverview('failed_sign_ins', { tone: 'error', path: lists.failedSignIns(moments), note: texts.failedAre }),
    ofOverview('failed_notifications', {
      tone: 'error',
      path: lists.notifications(moments),
      note: (
        <Lists
          text={texts.stuckAre}
          to={[
            [texts.unresolved, lists.notifications(moments, { status: 'unresolved' })],
            [texts.failed, lists.notifications(moments, { status: 'failed' })],
          ]}
        />
      ),
    }),
  ]
}

type Rest = Pick<Figure, 'note'> & Partial<Figure>

export function sumOf(days: readonly Counts[], name: OfOverview): number {
  return days.reduce((sum, day) => sum + day[name], 0)
}

/** The sign-ins of the days by method, the most frequent first. */
function methodsOf(days: readonly Counts[]): Array<[method: string, count: number]> {
  const sums = new Map<string, number>()
  for (const { sign_ins_by_method } of days)
    for (const [method, count] of Object.entries(sign_ins_by_method)) sums.set(method, (sums.get(method) ?? 0) + count)
  return [...sums].sort(([, one], [, other]) => other - one)
}

/** The parts of each figure, in words. */
function useNotes(figures: Figures, { days, month: moments }: Overview): Record<Exclude<OfReport, 'lost'> | 'signIns', ReactNode> {
  const texts = useTexts(figureTexts)
  const locale = localeOf(useLocale())
  const count = (value: number) => textOf(value, 'count', locale)
  const money = (value: number) => textOf(value, 'money', locale)
  const { active_paid: paid, active_trial: trial, active_granted: granted, active_unpriced: unpriced } = figures
  const { received, refunded, lost_in_disputes: disputed, payments_without_amount: without, returned } = figures
  const methods = methodsOf(days)
  return {
    signIns:
      methods.length === 0 ? (
        texts.signInsAre
      ) : (
        <Lists to={methods.map(([method, n]) => [texts.method(method, count(n)), lists.signIns(moments, { sign_in_method: method })])} />
      ),
    active: texts.stands({ paid: count(paid), trial: count(trial), granted: count(granted) }),
    mrr: unpriced > 0 ? texts.unpriced(unpriced, count(unpriced)) : texts.perMonth,
    net: (
      <>
        <Lists
          to={[
            [texts.money.received(money(received)), lists.transactions(moments, { figure: 'received' })],
            [texts.money.refunded(money(refunded)), lists.transactions(moments, { figure: 'refunded' })],
            [texts.money.disputed(money(disputed)), lists.transactions(moments, { figure: 'lost_in_disputes' })],
          ]}
        />
        {without > 0 && ` · ${texts.withoutAmount(without, count(without))}`}
      </>
    ),
    new:
      returned === 0 ? (
        texts.firstTime
      ) : (
        <Lists text={texts.firstTimeAnd} to={[[texts.returned(returned, count(returned)), lists.changed('returned', moments)]]} />
      ),
  }
}

function Lists({ text, to }: { text?: string; to: ReadonlyArray<readonly [label: string, path: string]> }) {
  return (
    <>
      {text !== undefined && `${text} `}
      {to.map(([label, path], place) => (
        <span key={path}>
          {place > 0 && ' · '}
          <Link component={RouterLink} to={path}>
            {label}
          </Link>
        </span>
      ))}
    </>
  )
}
