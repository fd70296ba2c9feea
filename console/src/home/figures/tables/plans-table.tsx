import { Link, Typography } from '@mui/material'
import { useLocale } from 'react-admin'
import { Link as RouterLink } from 'react-router-dom'
import { localeOf } from '../../../i18n/locales.ts'
import { useTexts } from '../../../i18n/use-texts.ts'
import { EmptyLine } from '../../../kit/show/empty-line.tsx'
import { Section } from '../../../kit/show/section.tsx'
import { usePlans, useProducts } from '../../../payments/offers.ts'
import type { PlanFigures } from '../../report.ts'
import { figureTexts } from '../figure-texts.ts'
import { type Kind, textOf } from '../formats.ts'
import { lists } from '../lists.ts'
import { FiguresRows } from './figures-table.tsx'

/** The figures that a row has. */
export const COLUMNS = [
  ['active', 'count'],
  ['mrr', 'money'],
  ['new', 'count'],
  ['lost', 'count'],
  ['received', 'money'],
  ['net', 'money'],
] as const satisfies ReadonlyArray<readonly [keyof PlanFigures['figures'], Kind]>

/** The figures of each plan, with those of the month before. `to`: the last day. */
export function PlansTable({ plans, to }: { plans: readonly PlanFigures[]; to: string }) {
  const texts = useTexts(figureTexts)
  const locale = localeOf(useLocale())
  if (plans.length === 0)
    return (
      <Section title={texts.plans}>
        <EmptyLine>{texts.noPlans}</EmptyLine>
      </Section>
    )
  const rows = [...plans]
    .sort((one, other) => other.figures.mrr - one.figures.mrr || other.figures.active - one.figures.active)
    .map((plan) => ({
      key: `${plan.product_id} ${plan.plan_id}`,
      name: <PlanName plan={plan} to={to} />,
      cells: COLUMNS.map(([name, kind]) => (
        <>
          {textOf(plan.figures[name], kind, locale)}
          <Typography component="div" variant="caption" color="textSecondary">
            {texts.before(textOf(plan.before[name], kind, locale))}
          </Typography>
        </>
      )),
    }))
  const heads = COLUMNS.map(([name]) => (name === 'received' ? texts.received : texts.figures[name]))
  return (
    <Section title={texts.plans}>
      <FiguresRows caption={texts.plans} heads={[texts.plan, ...heads]} rows={rows} />
    </Section>
  )
}

/** By name; by slug until the names are read. */
function PlanName({ plan: { plan_id, plan_slug, product_id, product }, to }: { plan: PlanFigures; to: string }) {
  const texts = useTexts(figureTexts)
  const plan = usePlans().find(({ id }) => id === plan_id)?.name ?? plan_slug
  const ofProduct = useProducts().find(({ id }) => id === product_id)?.name ?? product
  return (
    <>
      {plan_id === null || plan === null ? (
        texts.noPlan
      ) : (
        <Link component={RouterLink} to={lists.active(to, { plan_id, ...(product_id !== null && { product_id }) })}>
          {plan}
        </Link>
      )}
      {ofProduct !== null && (
        <Typography component="div" variant="caption" color="textSecondary">
          {ofProduct}
        </Typography>
      )}
    </>
  )
}
