import Download from '@mui/icons-material/FileDownloadOutlined'
import { Button } from '@mui/material'
import { useState } from 'react'
import { useListContext, useNotify } from 'react-admin'
import { adminPath } from '../../api/admin-http.ts'
import { useCallAdmin, useTimeZone } from '../../console-context.ts'
import { listQuery } from '../../data-provider.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { dayOf } from '../days.ts'
import { kitTexts } from '../texts.ts'
import { useFaultSentence } from '../use-fault-sentence.ts'

/** Downloads the whole list around it as CSV, with its filters and order. The service writes it, masked for viewers, without formulas. */
export function ExportButton() {
  const texts = useTexts(kitTexts)
  const sentenceOf = useFaultSentence()
  const notify = useNotify()
  const callAdmin = useCallAdmin()
  const zone = useTimeZone()
  const { resource, sort, filterValues, filter } = useListContext()
  const [isBusy, setBusy] = useState(false)

  const run = async () => {
    setBusy(true)
    try {
      const path = `${adminPath(resource, 'export')}?${listQuery({ ...filter, ...filterValues }, sort)}`
      const file = await callAdmin<Blob>({ path, method: 'POST', as: 'file' })
      save(`portaria-${resource}-${dayOf(new Date().toISOString(), zone)}.csv`, file)
    } catch (error) {
      notify(
        sentenceOf(error, ({ reason }) => (reason === 'still_counting' ? texts.notYetCounted : undefined)),
        { type: 'error' },
      )
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button startIcon={<Download />} disabled={isBusy} onClick={() => void run()}>
      {isBusy ? texts.exporting : texts.exportCsv}
    </Button>
  )
}

function save(name: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
