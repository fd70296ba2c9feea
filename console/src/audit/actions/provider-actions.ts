import { defineTexts } from '../../i18n/use-texts.ts'

/** Actions on identity providers. */
export const providerActions = defineTexts({
  'pt-BR': {
    'identity_provider.add': 'Provedor conectado',
    'identity_provider.change': 'Provedor alterado',
    'identity_provider.remove': 'Provedor desconectado',
  },
  en: {
    'identity_provider.add': 'Provider connected',
    'identity_provider.change': 'Provider changed',
    'identity_provider.remove': 'Provider disconnected',
  },
  es: {
    'identity_provider.add': 'Proveedor conectado',
    'identity_provider.change': 'Proveedor cambiado',
    'identity_provider.remove': 'Proveedor desconectado',
  },
})
