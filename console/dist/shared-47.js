var a=e=>e?{nodes:e,pageInfo:{hasNextPage:!1,hasPreviousPage:!1,startCursor:null,endCursor:null,isPartial:!1}}:void 0;export{a};
