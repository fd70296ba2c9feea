import { Box, Checkbox, FormControlLabel, Typography } from '@mui/material'
import { useEffect, useId } from 'react'
import { useInput } from 'react-admin'
import { useWatch } from 'react-hook-form'
import { useTexts } from '../i18n/use-texts.ts'
import type { AdminScope, Role } from '../roles.ts'
import { tokenTexts } from './texts.ts'
import { byResource, isAdminScope, tokenScopes } from './token-scopes.ts'
import { useScopeLabels } from './use-scope-labels.ts'

/** A token's permissions, by resource: only those of its role. A change to a lesser role removes the others. */
export function ScopesInput() {
  const texts = useTexts(tokenTexts)
  const labels = useScopeLabels()
  const id = useId()
  const { field } = useInput<unknown>({ source: 'scopes' })
  const chosen: AdminScope[] = Array.isArray(field.value) ? field.value.filter(isAdminScope) : []
  const offered = tokenScopes(roleOf(useWatch<Record<string, unknown>>({ name: 'role' })))
  const beyond = chosen.filter((scope) => !offered.includes(scope))
  useEffect(() => {
    if (beyond.length > 0) choose(chosen.filter((scope) => offered.includes(scope)))
  })
  // No choice means all permissions of the role, and is not sent: an empty list is refused.
  const choose = (scopes: AdminScope[]) => field.onChange(scopes.length === 0 ? undefined : scopes)
  const toggle = (scope: AdminScope) => choose(chosen.includes(scope) ? chosen.filter((other) => other !== scope) : [...chosen, scope])
  return (
    <Box
      component="fieldset"
      aria-describedby={id}
      sx={{ border: 1, borderColor: 'divider', borderRadius: 2, px: 2, py: 1, my: 1, mx: 0, minWidth: 0 }}
    >
      <Typography component="legend" variant="body2" sx={{ px: 0.5, fontWeight: 600 }}>
        {texts.scopes}
      </Typography>
      <Typography id={id} variant="body2" color="textSecondary">
        {texts.scopesHelp}
      </Typography>
      {byResource(offered).map(([resource, scopes]) => (
        <Box
          key={resource}
          role="group"
          aria-label={labels.resourceOf(resource)}
          sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '14rem 1fr' }, alignItems: 'center', py: 0.25 }}
        >
          <Typography variant="body2">{labels.resourceOf(resource)}</Typography>
          <Box sx={{ display: 'flex', flexWrap: 'wrap' }}>
            {scopes.map((scope) => (
              <FormControlLabel
                key={scope}
                label={labels.actionOf(scope)}
                control={<Checkbox size="small" checked={chosen.includes(scope)} onChange={() => toggle(scope)} />}
              />
            ))}
          </Box>
        </Box>
      ))}
    </Box>
  )
}

function roleOf(value: unknown): Role {
  return value === 'owner' || value === 'support' ? value : 'viewer'
}
