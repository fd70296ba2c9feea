import { Typography } from '@mui/material'
import { useLocale } from 'react-admin'
import { localeOf } from '../../../i18n/locales.ts'
import { useTexts } from '../../../i18n/use-texts.ts'
import { EmptyLine } from '../../../kit/show/empty-line.tsx'
import { Section } from '../../../kit/show/section.tsx'
import { usePlans, useProducts } from '../../../payments/offers.ts'
import type { PlanFigures } from '../../report.ts'
import { figureTexts } from '../figure-texts.ts'
import { type Kind, textOf } from '../formats.ts'
import { listsOfRow, type Moments } from '../lists.ts'
import { FiguresRows } from './figures-table.tsx'
import { LinkedFigure } from './linked-figure.tsx'

/** The figures that a row has. */
export const COLUMNS = [
  ['active', 'count'],
  ['mrr', 'money'],
  ['new', 'count'],
  ['lost', 'count'],
  ['received', 'money'],
  ['net', 'money'],
] as const satisfies ReadonlyArray<readonly [keyof PlanFigures['figures'], Kind]>

interface PlansTableProps {
  plans: readonly PlanFigures[]
  /** The last day. */
  to: string
  moments: Moments
}

/** The figures of each plan, with those of the month before. Each that is not 0 leads to its list. */
export function PlansTable({ plans, to, moments }: PlansTableProps) {
  const texts = useTexts(figureTexts)
  const locale = localeOf(useLocale())
  const nameOf = usePlanNames()
  if (plans.length === 0)
    return (
      <Section title={texts.plans}>
        <EmptyLine>{texts.noPlans}</EmptyLine>
      </Section>
    )
  const heads = COLUMNS.map(([name]) => (name === 'received' ? texts.received : texts.figures[name]))
  const rows = [...plans]
    .sort((one, other) => other.figures.mrr - one.figures.mrr || other.figures.active - one.figures.active)
    .map((plan) => {
      const { name: planName, ofProduct } = nameOf(plan)
      const paths = listsOfRow({ to, moments }, { of: plan }, plan.figures)
      return {
        key: `${plan.product_id} ${plan.plan_id}`,
        name: <PlanName name={planName} ofProduct={ofProduct} />,
        cells: COLUMNS.map(([name, kind], place) => (
          <LinkedFigure
            key={name}
            label={[planName, ofProduct, heads[place]].filter((part) => part !== null).join(', ')}
            value={textOf(plan.figures[name], kind, locale)}
            before={textOf(plan.before[name], kind, locale)}
            path={paths[name]}
          />
        )),
      }
    })
  return (
    <Section title={texts.plans}>
      <FiguresRows caption={texts.plans} heads={[texts.plan, ...heads]} rows={rows} />
    </Section>
  )
}

/** Plans and products by name; by slug until the names are read. */
function usePlanNames(): (plan: PlanFigures) => { name: string; ofProduct: string | null } {
  const texts = useTexts(figureTexts)
  const plans = usePlans()
  const products = useProducts()
  return ({ plan_id, plan_slug, product_id, product }) => ({
    name: plans.find(({ id }) => id === plan_id)?.name ?? plan_slug ?? texts.noPlan,
    ofProduct: products.find(({ id }) => id === product_id)?.name ?? product,
  })
}

function PlanName({ name, ofProduct }: { name: string; ofProduct: string | null }) {
  return (
    <>
      {name}
      {ofProduct !== null && (
        <Typography component="div" variant="caption" color="textSecondary">
          {ofProduct}
        </Typography>
      )}
    </>
  )
}
