import { Box, Tab, Tabs } from '@mui/material'
import { type ReactNode, useId } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useTexts } from '../i18n/use-texts.ts'
import { type ProductTab, productTabs } from './health/health.ts'
import { HealthStrip } from './health/health-strip.tsx'
import { healthTexts } from './health/health-texts.ts'
import type { ProductDetails } from './product.ts'

/** The parts of a product's page, one at a time, below what is said of all of them. The address holds which one. */
export function ProductTabs({ product, parts }: { product: ProductDetails; parts: Readonly<Partial<Record<ProductTab, ReactNode>>> }) {
  const texts = useTexts(healthTexts)
  const id = useId()
  const [query, setQuery] = useSearchParams()
  const tabs = productTabs.filter((tab) => parts[tab] !== undefined)
  const shown = tabs.find((tab) => tab === query.get('tab')) ?? 'overview'
  const open = (tab: ProductTab) => setQuery(tab === 'overview' ? {} : { tab }, { replace: true })
  return (
    <>
      <HealthStrip product={product} onOpen={open} />
      <Box sx={{ borderBottom: 1, borderColor: 'divider', mb: 2.5 }}>
        <Tabs
          value={shown}
          onChange={(_, tab: ProductTab) => open(tab)}
          aria-label={texts.tabList}
          variant="scrollable"
          scrollButtons="auto"
          allowScrollButtonsMobile
        >
          {tabs.map((tab) => (
            <Tab key={tab} value={tab} label={texts.tabs[tab]} id={`${id}-${tab}`} aria-controls={`${id}-panel`} />
          ))}
        </Tabs>
      </Box>
      <Box role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${shown}`}>
        {parts[shown]}
      </Box>
    </>
  )
}
