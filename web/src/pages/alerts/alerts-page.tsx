import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useSession } from '../../api/session.ts';
import { ListPage } from '../../components/list-page.tsx';
import { alertsTexts } from '../../texts/alerts.ts';
import AlertBuilder from './alert-builder.tsx';
import { ALERT_COLUMNS, AlertRow } from './alert-row.tsx';
import { alertsQuery, deleteAlert, setAlertActive } from './alerts.ts';

const words = alertsTexts;
const route = getRouteApi('/alerts');

export function AlertsPage() {
  const { create, keywords, forum } = route.useSearch();
  const navigate = route.useNavigate();
  const { workspace_id } = useSession();
  const client = useQueryClient();
  return (
    <ListPage
      words={words}
      query={useQuery(alertsQuery(workspace_id))}
      creating={create !== undefined}
      nameOf={({ name }) => name}
      columns={ALERT_COLUMNS}
      bulk={{
        setActive: ({ id }, isActive) => setAlertActive(workspace_id, id, isActive),
        remove: ({ id }) => deleteAlert(workspace_id, id),
        refresh: () => client.invalidateQueries(alertsQuery(workspace_id)),
        deleted: words.deletedAll,
      }}
      form={
        <AlertBuilder
          alert={null}
          beginning={{
            ...(keywords !== undefined && { keywords: keywords.split('\n') }),
            ...(forum !== undefined && { forums: [forum] }),
          }}
          onClose={() => void navigate({ search: {}, replace: true })}
        />
      }
      onCreate={() => void navigate({ search: { create: 'yes' } })}
    >
      {(alert, checkbox) => <AlertRow key={alert.id} alert={alert} checkbox={checkbox} />}
    </ListPage>
  );
}
