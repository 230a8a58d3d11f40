import { parseAnalysisRequest } from './analysis-request.js';

describe('parseAnalysisRequest', () => {
  it.each([
    ['{"id":1,"text":"a"}', { id: 1, title: '', text: 'a' }],
    ['\ufeff{"id":1,"text":"a"}', { id: 1, title: '', text: 'a' }],
    ['{"id":"x","title":"t","text":""}', { id: 'x', title: 't', text: '' }],
    ['{"id":"x","title":null,"text":"a","more":true}', { id: 'x', title: '', text: 'a' }],
  ])('reads %s', (line, request) => {
    expect(parseAnalysisRequest(line)).toEqual(request);
  });

  it.each([
    ['nope', 'is not JSON'],
    ['[1]', 'is not a JSON object'],
    ['null', 'is not a JSON object'],
    ['{"text":"a"}', '"id" must be a string or a number'],
    ['{"id":1}', '"text" must be a string'],
    ['{"id":1,"text":"a","title":5}', '"title" must be a string'],
  ])('reports what is wrong with %s', (line, message) => {
    expect(parseAnalysisRequest(line)).toBe(message);
  });
});
