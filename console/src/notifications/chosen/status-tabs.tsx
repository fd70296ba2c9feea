import { Box, Tab, Tabs } from '@mui/material'
import { useListContext, useLocale } from 'react-admin'
import { localeOf } from '../../i18n/locales.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { useRead } from '../../kit/use-read.ts'
import { batchTexts } from './batch-texts.ts'
import { type Counts, countsPath, countText } from './counts.ts'

const tabs = ['all', 'unresolved', 'failed'] as const

/** The list by status, with counts that follow the other filters. Of those that need somebody alone nothing is counted. */
export function StatusTabs() {
  const texts = useTexts(batchTexts)
  const locale = localeOf(useLocale())
  const { filterValues, setFilters } = useListContext()
  const { data } = useRead<Counts>(countsPath(filterValues))
  const { status = 'all', stuck, ...others } = filterValues
  const counts = stuck === undefined ? data : undefined
  const isOwnTab = tabs.includes(status) && (stuck === undefined || status !== 'all')
  const choose = (tab: string) => setFilters(tab === 'all' ? others : { ...others, ...(stuck && { stuck }), status: tab }, {})
  return (
    <Box sx={{ borderBottom: 1, borderColor: 'divider', mb: 2 }}>
      <Tabs
        value={isOwnTab ? status : false}
        onChange={(_, tab: string) => choose(tab)}
        aria-label={texts.tabs}
        // On a phone a label breaks into two lines, and no tab is out of sight.
        sx={{ '& .MuiTab-root': { flexShrink: 1, minWidth: 0, px: { xs: 1, sm: 2 } } }}
      >
        {tabs.map((tab) => (
          <Tab
            key={tab}
            value={tab}
            label={counts === undefined ? texts.tab[tab] : `${texts.tab[tab]} (${countText(counts[tab], locale)})`}
          />
        ))}
      </Tabs>
    </Box>
  )
}
