import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { deleteLater } from '../../components/undo.ts';
import { reportsTexts } from '../../texts/reports.ts';
import { ReportForm } from './report-form.tsx';
import { deleteReport, type Report } from './reports.ts';

const words = reportsTexts;

/** Changes and deletes a report; a deletion can be taken back for ten seconds. */
export function ReportActions({ report, onDeleted }: { report: Report; onDeleted?: () => void }) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const [isEditing, setEditing] = useState(false);
  const run = async (): Promise<void> => {
    await deleteReport(workspace_id, report.id);
    await client.invalidateQueries({ queryKey: keys.reports(workspace_id) });
  };
  return (
    <div className="flex gap-2">
      <Button aria-label={words.editNamed(report.name)} onClick={() => setEditing(true)}>
        {words.edit}
      </Button>
      <Button
        look="danger"
        aria-label={words.deleteNamed(report.name)}
        onClick={() => {
          deleteLater({ ids: [report.id], text: words.deleted(report.name), run });
          onDeleted?.();
        }}
      >
        {words.delete}
      </Button>
      {isEditing && <ReportForm report={report} onClose={() => setEditing(false)} />}
    </div>
  );
}
