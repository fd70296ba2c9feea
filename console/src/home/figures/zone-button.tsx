import { Autocomplete, TextField, Typography } from '@mui/material'
import { useState } from 'react'
import { useRefresh } from 'react-admin'
import { adminPath } from '../../api/admin-http.ts'
import { useSetTimeZone } from '../../console-context.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { ActionButton } from '../../kit/form/action-button.tsx'
import { ManagedBy } from '../../kit/show/managed-by.tsx'
import { homeTexts } from '../texts.ts'

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

/** Sets the time zone of the operator's days. */
export function ZoneButton({ zone }: { zone: string }) {
  const texts = useTexts(homeTexts)
  const setTimeZone = useSetTimeZone()
  const refresh = useRefresh()
  const [chosen, setChosen] = useState(zone)
  return (
    <ActionButton<{ time_zone: string }>
      label={texts.setZone}
      request={{ method: 'PUT', path: adminPath('reports', 'time-zone'), body: { time_zone: chosen } }}
      reason="none"
      onOpen={() => setChosen(zone)}
      fields={{ time_zone: texts.zone }}
      onDone={({ time_zone: set }) => {
        setTimeZone(set)
        refresh()
      }}
      explains={
        <>
          <ManagedBy kind="reports" id="operator" />
          <Typography sx={{ mb: 2 }}>{texts.setZoneExplains}</Typography>
          <Autocomplete
            options={zones.includes(zone) ? zones : [zone, ...zones]}
            value={chosen}
            disableClearable
            onChange={(_event, value) => setChosen(value)}
            renderInput={(params) => <TextField {...params} label={texts.zone} />}
          />
        </>
      }
    />
  )
}
